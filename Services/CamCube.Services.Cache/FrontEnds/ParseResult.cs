namespace CamCube.Services.Cache.FrontEnds;

/// <summary>How far a protocol came with the bytes it was given.</summary>
internal enum ParseResult : byte
{
    /// <summary>It did something; call again.</summary>
    Took,

    /// <summary>It waits for more bytes.</summary>
    NeedsInput,

    /// <summary>It waits until a command in work has ended or was answered.</summary>
    NeedsRoom,

    /// <summary>It reads no more: the connection ends when what is in work was answered.</summary>
    Ended,
}
