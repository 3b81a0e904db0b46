namespace CamCube.Services.Distribution.Wire;

/// <summary>What a server says of a wrong piece that it gave. The numbers are in the wire format.</summary>
internal enum OriginKind : byte
{
    /// <summary>It does not know, or not yet.</summary>
    Unknown = 0,

    /// <summary>It has the right one.</summary>
    RightHere = 1,

    /// <summary>It has the wrong one, too, and says by whom.</summary>
    Given = 2,

    /// <summary>It keeps nothing, and says whom it pulls for others.</summary>
    PassedOn = 3,
}
