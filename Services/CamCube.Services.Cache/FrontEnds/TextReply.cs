namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The lines of the text protocol that do not depend on an item; their text is in <see cref="TextReplies"/>.
/// </summary>
internal enum TextReply : byte
{
    Ok,
    End,
    Error,
    Reset,
    Version,
    Stored,
    NotStored,
    Exists,
    NotFound,
    Deleted,
    Touched,
    BadFormat,
    BadFormatOfDelete,
    BadDataChunk,
    BadExpiry,
    BadDelta,
    BadCommandLine,
    DetailUsage,
    NoCacheDump,
    NotANumber,
    LineTooLong,
    TooLarge,
    OutOfMemoryStoring,
    OutOfMemory,
    NoShutdown,
    SizesDisabled,
    TimedOut,
    Unavailable,
    InternalError,

    /// <summary>No answer but the end of the connection.</summary>
    Nothing,
}
