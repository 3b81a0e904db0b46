using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>A parsed command line; spans are parts of the line.</summary>
internal ref struct TextCommand
{
    /// <summary>What it asks for.</summary>
    public TextVerb Verb;

    /// <summary>The answer, of <see cref="TextVerb.Reply"/>; of commands that may not be allowed at all, the one if it
    /// is wrong.</summary>
    public TextReply Reply;

    /// <summary>What is asked for, of <see cref="TextVerb.Statistics"/>.</summary>
    public StatisticsGroup Group;

    /// <summary>The operation on the cache.</summary>
    public CacheOperation Operation;

    /// <summary>The key, at most 250 bytes; of a get all keys, one space or more between them.</summary>
    public ReadOnlySpan<byte> Key;

    /// <summary>Flags to store.</summary>
    public uint Flags;

    /// <summary>Expiry, or the delay of a flush.</summary>
    public int Expiry;

    /// <summary>Bytes of the data block without its line end.</summary>
    public int Length;

    /// <summary>Token of cas.</summary>
    public ulong Cas;

    /// <summary>Delta of incr and decr.</summary>
    public ulong Delta;

    /// <summary>Whether values are wanted with their tokens.</summary>
    public bool WithCas;

    /// <summary>Whether no answer is wanted.</summary>
    public bool NoReply;
}
