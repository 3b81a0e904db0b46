namespace CamCube.Services.KeyValue.Wire;

/// <summary>How a copy is.</summary>
internal enum CopyState : byte
{
    /// <summary>It was read.</summary>
    Read = 0,

    /// <summary>It was read; the value lies in pieces, which were not.</summary>
    InPieces = 1,

    /// <summary>It is there, and cannot be read.</summary>
    Unread = 2,

    /// <summary>The key was changed while it was going to be read.</summary>
    Changed = 3,
}
