namespace CamCube.Messaging;

/// <summary>Limits and times of one <see cref="StreamEndpoint{THeader}"/>. A service sets them from its own
/// options.</summary>
public sealed class StreamOptions
{
    /// <summary>Bytes that peers may be allowed to send and that wait to be read, of all streams. Default 32 MiB; a
    /// claim on <see cref="IServer.Memory"/>.</summary>
    public long ReceiveMemory { get; set; } = 32 << 20;

    /// <summary>Bytes that were written and have not arrived, of all streams. Default 32 MiB; a claim on
    /// <see cref="IServer.Memory"/>.</summary>
    public long SendMemory { get; set; } = 32 << 20;

    /// <summary>Bytes that one stream keeps written and not arrived. Default 2 MiB.</summary>
    public int SendLimit { get; set; } = 2 << 20;

    /// <summary>Bytes that a new stream is allowed. Default 64 KiB.</summary>
    public int FirstCredit { get; set; } = 64 << 10;

    /// <summary>Bytes that leave of a new stream before its peer has allowed any, on a connection that is in use. The
    /// peer keeps them if it has memory; else they are sent again when it has. At most 4 KiB, which is the default; 0:
    /// none.</summary>
    public int FirstFlight { get; set; } = 4 << 10;

    /// <summary>Bytes that a stream is allowed at most, if its reader keeps up. Default 1 MiB.</summary>
    public int MostCredit { get; set; } = 1 << 20;

    /// <summary>Connections, opened and accepted. Default 4,096.</summary>
    public int Connections { get; set; } = 4_096;

    /// <summary>Connections that one peer may have opened. Where there are more, the one that was idle for the longest
    /// is closed. Default 64.</summary>
    public int PerPeer { get; set; } = 64;

    /// <summary>Streams. Default 1 Mi.</summary>
    public int Streams { get; set; } = 1 << 20;

    /// <summary>How long an acknowledgement waits for another packet. Default 1 ms.</summary>
    public TimeSpan AckDelay { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>Packets of the service that wait for a link, from which on a hop marks what it adds. Default
    /// 10.</summary>
    public int MarkPackets { get; set; } = 10;

    /// <summary>How long an opener asks for a connection, or for a key's root, before it gives up. Default
    /// 10 s.</summary>
    public TimeSpan OpenTime { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Silence with streams open, or packets under way, after which the peer counts as gone. After a quarter
    /// of
    /// it either side asks. Default 10 s.</summary>
    public TimeSpan SilenceTime { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection without a stream is kept. Default 10 s.</summary>
    public TimeSpan IdleTime { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long streams to a server are kept that this server's view has lost: if it was only cut off, they go
    /// on where they were. Default 0: they end at once.</summary>
    public TimeSpan KeepWhenLost { get; set; }
}
