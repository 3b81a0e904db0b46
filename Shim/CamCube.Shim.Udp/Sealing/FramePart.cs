namespace CamCube.Shim.Udp.Sealing;

/// <summary>How much of a frame a sealed datagram has.</summary>
internal enum FramePart : byte
{
    /// <summary>All of it.</summary>
    Whole = 0,

    /// <summary>The first part of two; the second has the next counter.</summary>
    First = 1,

    /// <summary>The second part of two.</summary>
    Second = 2,

    /// <summary>No frame: asks whether a datagram of this length arrives. Its first eight bytes are a number.</summary>
    Probe = 3,

    /// <summary>No frame: the number of a probe that has arrived.</summary>
    Answer = 4,
}
