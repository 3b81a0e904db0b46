using CamCube.Calls;
using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.Wire;

/// <summary>Kinds of messages of the cache, <see cref="CacheHeader.Kind"/>.</summary>
internal enum PacketKind : byte
{
    /// <summary>To a key: read or inspect. Content: the client's key; options in
    /// <see cref="CacheHeader.Flags"/>.</summary>
    Read = 1,

    /// <summary>To a key, or to its root: anything that changes something. Content: <see cref="ChangeHead"/>, key,
    /// value.</summary>
    Change = 2,

    /// <summary>The root did it. Content: <see cref="AnswerHead"/>, value that was read.</summary>
    Answer = 3,

    /// <summary>The server did not do it. Content: <see cref="RefusalHead"/>.</summary>
    Refusal = 4,

    /// <summary>To a server: drop all, now or later. Content: <see cref="FlushHead"/>.</summary>
    Flush = 5,

    /// <summary>It is noted. No content.</summary>
    Flushed = 6,

    /// <summary>To a server: count. No content.</summary>
    Statistics = 7,

    /// <summary>Content: the counters, 8 bytes each, in the order of <see cref="CacheCount"/>.</summary>
    Counted = 8,

    /// <summary>To a neighbour of a server that returns: is there a flush to come? No content.</summary>
    FlushQuery = 9,

    /// <summary>Content: <see cref="FlushHead"/>, with stamp 0 if there is none; <see cref="CacheHeader.Code"/> is 0 if
    /// the server is returning itself and cannot know.</summary>
    FlushNews = 10,

    /// <summary>To one of an item's extra keys: read. Content: the client's key; options in
    /// <see cref="CacheHeader.Flags"/>.</summary>
    Lookup = 11,

    /// <summary>The server at that key has no copy, and asks the root. Question and attempt are the asker's. Content:
    /// <see cref="FetchHead"/>, client's key.</summary>
    Fetch = 12,

    /// <summary>The root's answer to that, to be kept and passed on. Content: <see cref="CopyHead"/>, client's key,
    /// <see cref="AnswerHead"/>, value.</summary>
    Copy = 13,

    /// <summary>Root to holder: have no copy any more. <see cref="CacheHeader.Question"/> is the flush's number. No
    /// content.</summary>
    CopyFlush = 14,

    /// <summary>It has none. No content.</summary>
    CopyFlushed = 15,
}
