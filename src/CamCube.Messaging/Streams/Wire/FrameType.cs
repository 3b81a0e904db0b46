namespace CamCube.Messaging.Streams.Wire;

/// <summary>What a frame is: the first byte of each.</summary>
internal enum FrameType : byte
{
    None = 0,

    /// <summary>flags 1 (1 first, 2 last), stream 4, offset 6, length 2, [first: label 8, key route 8, flags 1, least
    /// credit 1], bytes.</summary>
    Data = 1,

    /// <summary>path 1, largest 4, delay in µs 2, marked so far 4, ranges n 1, n × (gap 2, length 2).</summary>
    Ack = 2,

    /// <summary>stream 4, consumed 6, limit 6.</summary>
    Credit = 3,

    /// <summary>stream 4, why 1, code 4, final 6: no more is written, and what was is void.</summary>
    Reset = 4,

    /// <summary>stream 4, code 4: no more is read.</summary>
    Stop = 5,

    /// <summary>Wants an acknowledgement.</summary>
    Ping = 6,

    /// <summary>stream 4, offset 6: has bytes behind this offset and no credit.</summary>
    Blocked = 7,
}
