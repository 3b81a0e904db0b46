using CamCube.Cables;

namespace CamCube.Cabling;

/// <summary>Periods and limits of the cabling protocol (docs/cabling.md).</summary>
public sealed class CablingOptions
{
    /// <summary>Time between hellos on a port until it is admitted. Shorter: a cube starts faster and a waiting one
    /// costs more. Default 100 ms.
    /// </summary>
    public TimeSpan FastHello { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Time between hellos on an admitted port, and on one on which nothing has changed for
    /// <see cref="FastFor"/>. Default 1 s.</summary>
    public TimeSpan SlowHello { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a port without admission is greeted fast after its last change. Default 60 s.</summary>
    public TimeSpan FastFor { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Shortest time between two hellos on a port, whatever changes: bounds what a hostile neighbour can make
    /// this server send. Default 10 ms.</summary>
    public TimeSpan HelloSpacing { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Silence after which a port is said to hear nothing and loses its admission. Liveness finds failures
    /// much sooner; too short: a busy neighbour loses its links. Default 5 s.</summary>
    public TimeSpan Silence { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long everything must have stood still before a cube with faults in its cabling is given its map.
    /// Without faults the map is made at once. Too short: a cable that comes up late is taken for a missing one.
    /// Default 3 s.</summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How long a server with a fixed coordinate waits at start to hear all others' largest frames. Default 2
    /// s.</summary>
    public TimeSpan FixedPatience { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long a fault must be there, or gone, before people are told. Default 2 s.</summary>
    public TimeSpan NewsDelay { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Time after which people are told again what is waited for. Default 60 s.</summary>
    public TimeSpan Reminder { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Shortest time between two reports of this server about its ports. Default 100 ms.</summary>
    public TimeSpan ReportSpacing { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Shortest time between two lists of known reports sent on a port to repair losses. Default 200
    /// ms.</summary>
    public TimeSpan RepairSpacing { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>Shortest time between two looks at the whole cabling for people. Default 500 ms.</summary>
    public TimeSpan LookSpacing { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long the report of a server is kept after nobody has heard it any more. Default 10 s.</summary>
    public TimeSpan Forget { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long two servers must have claimed one coordinate before it is a fault. Longer than
    /// <see cref="Silence"/>: a restarted server may still be remembered under its old identity. Default 8 s.</summary>
    public TimeSpan ClaimPatience { get; init; } = TimeSpan.FromSeconds(8);

    /// <summary>Time between two tries to write a map that could not be written, or to ask for a part of one. Default
    /// 250 ms.</summary>
    public TimeSpan Retry { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>How long a map may be written until people are told that the disk is slow. Default 1 s.</summary>
    public TimeSpan SlowStore { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Time between two tries when a port has no room; it is also tried as soon as there is room again.
    /// Default 20 ms.</summary>
    public TimeSpan RoomRetry { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Reports kept beyond the number of servers of the shape: bounds the memory that neighbours can fill.
    /// Default 64.</summary>
    public int SpareReports { get; init; } = 64;

    /// <summary>Frames other than hellos that one <see cref="ICabling.Run"/> sends on a port. Default 16.</summary>
    public int SendBudget { get; init; } = 16;

    /// <summary>Changes of the server that is heard on a port within <see cref="Silence"/> from which on there are
    /// several. Default 4.</summary>
    public int MostChangesOfPeer { get; init; } = 4;
}
