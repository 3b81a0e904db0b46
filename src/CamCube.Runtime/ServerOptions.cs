using CamCube.Runtime.Core;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Workers;

namespace CamCube.Runtime;

/// <summary>Settings of every server of a cube (<c>CamCube</c>). Set before start; not changed afterwards.</summary>
public sealed class ServerOptions
{
    /// <summary>Most sources of one service (<see cref="IServer.AddSource"/>).</summary>
    public const int MaxSources = 4;

    /// <summary>Hops a new packet may make, 1 to 65,535; 0, the default, means four times the diameter plus
    /// 16.</summary>
    public int HopLimit { get; set; }

    /// <summary>
    /// Packets a server may have at once besides those in services' queues: arriving, held by services, in callbacks.
    /// Default 4,096. Smaller: more drops as NoBuffer in bursts. The whole budget is this plus every queue's limit,
    /// printed in the status.
    /// </summary>
    public int PacketBudget { get; set; } = 4_096;

    /// <summary>Calls from other threads that may be open on a server at once; more callers wait. Default
    /// 4,096.</summary>
    public int GateLimit { get; set; } = 4_096;

    /// <summary>Calls, local packets and continuations that one step runs before links get their turn. Default
    /// 256.</summary>
    public int StepBudget { get; set; } = 256;

    /// <summary>
    /// Folder for the files of services (<see cref="IServer.Disk"/>), one folder per server and service in it. Empty,
    /// the default: services have no disk. Of two processes with the same server's folder the second has no disk.
    /// Simulated cubes in virtual time have disks of their own.
    /// </summary>
    public string DataFolder { get; set; } = "";

    /// <summary>
    /// How long a stop in order waits for <see cref="ICamCubeService.OnStoppingAsync"/> of the services. Default 5 s.
    /// Shorter: what they would have handed over or written is found out by others, or at the next start, the long way.
    /// Longer than whoever stops the process waits: it is killed meanwhile.
    /// </summary>
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Memory of services.</summary>
    public MemoryOptions Memory { get; set; } = new();

    /// <summary>Threads for what would stop a loop.</summary>
    public WorkOptions Work { get; set; } = new();

    /// <summary>Neighbour liveness and flooding.</summary>
    public LivenessOptions Liveness { get; set; } = new();

    /// <summary>The effective hop limit for a shape.</summary>
    public ushort HopLimitFor(TorusShape shape) =>
        (ushort)(HopLimit > 0 ? HopLimit : Math.Min(ushort.MaxValue, (4 * shape.Diameter) + 16));
}
