namespace CamCube.Services.KeyValue.Redis.Protocol;

/// <summary>How far the reading of a request came.</summary>
internal enum ParseStep : byte
{
    /// <summary>It needs more bytes.</summary>
    NeedsInput,

    /// <summary>A request is whole.</summary>
    Complete,

    /// <summary>There was a request without anything in it, which is not answered.</summary>
    Empty,

    /// <summary>It is none: <see cref="RequestParser.Error"/>. Nothing behind it can be read.</summary>
    Broken,
}
