namespace CamCube.Shim.Udp.Sealing;

/// <summary>How much of a frame a datagram has.</summary>
internal enum FramePart : byte
{
    /// <summary>All of it.</summary>
    Whole = 0,

    /// <summary>The first part of two; the second has the next counter.</summary>
    First = 1,

    /// <summary>The second part of two.</summary>
    Second = 2,
}
