namespace CamCube.Runtime.Memory;

/// <summary>How much memory services may claim (<see cref="IServer.Memory"/>, <c>CamCube:Memory</c>). Bytes; 0 refuses
/// every claim.</summary>
public sealed class MemoryOptions
{
    /// <summary>What a server in virtual time may claim if nothing is said: always the same, so that runs can be
    /// repeated on any machine.</summary>
    public const long SimulatedServerLimit = 1L << 30;

    /// <summary>
    /// Most that all servers of the process may claim together. Default: half of the memory that the process may use
    /// (the machine's, or its container's). Larger: the system may kill the process. Not in virtual time, where servers
    /// do not share anything.
    /// </summary>
    public long? ProcessLimit { get; set; }

    /// <summary>Most that all services of one server may claim together. Default: as the process; in virtual time 1
    /// GiB.</summary>
    public long? ServerLimit { get; set; }

    /// <summary>Most that one service may claim on one server. Default: as the server. Smaller: no service can take it
    /// all from the others.</summary>
    public long? ServiceLimit { get; set; }
}
