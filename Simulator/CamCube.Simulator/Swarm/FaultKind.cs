namespace CamCube.Simulator.Swarm;

/// <summary>What a swarm run does to a cube.</summary>
public enum FaultKind
{
    /// <summary>A server loses its power for a while and comes back with empty memory.</summary>
    Crash,

    /// <summary>A server is started again at once, before anybody can notice that it was away.</summary>
    Restart,

    /// <summary>Both directions of a cable.</summary>
    Cut,

    /// <summary>One direction of a cable.</summary>
    OneWayCut,

    /// <summary>A cable that is cut and mended again and again.</summary>
    Flapping,

    /// <summary>All cables of one server.</summary>
    Isolation,

    /// <summary>All cables of one plane of servers to the others.</summary>
    Plane,

    /// <summary>All cables between two halves, drawn at random.</summary>
    Halves,

    /// <summary>The same in one direction only.</summary>
    OneWayHalves,

    /// <summary>A part of all packets is lost, in the whole cube, at one server or on one cable.</summary>
    Loss,

    /// <summary>One bit turns over in a part of the packets of the swarm's own services: link state and cache promise
    /// nothing then.</summary>
    Corruption,

    /// <summary>A part of all packets comes twice.</summary>
    Duplication,

    /// <summary>Longer cables: all packets come up to a tenth of the detection time later, in order.</summary>
    Delay,

    /// <summary>A part of all packets is overtaken by others.</summary>
    Reordering,

    /// <summary>Links take packets at a tenth of their rate, but at least at 10 Mbit/s.</summary>
    SlowLink,

    /// <summary>A server stands still, as in a long garbage collection.</summary>
    Pause,

    /// <summary>A server loses its power and comes back with another time of day, up to a minute off.</summary>
    ClockOffset,

    /// <summary>A server's clock runs up to 200 parts per million too fast or too slow, for the rest of the
    /// run.</summary>
    ClockDrift,

    /// <summary>With some operations of a server's disk a bit of what is safe turns over. This and all that follow are
    /// drawn only for workloads that ask for them.</summary>
    DiskRot,

    /// <summary>Some writes of a server go to another sector of their file.</summary>
    MisplacedWrites,

    /// <summary>Some operations of a server's disk never end; when it is over the server is started again, if there
    /// were any.</summary>
    StuckDisk,

    /// <summary>A server loses its power, and comes back without some of its files.</summary>
    LostFiles,

    /// <summary>A server loses its power, and of what was not synced some is there, some in part.</summary>
    TornWrites,

    /// <summary>A server's disk has no room for more.</summary>
    FullDisk,

    /// <summary>A server's disk takes up to a tenth of the detection time longer for each operation.</summary>
    SlowDisk,

    /// <summary>Some reads, writes and syncs of a server fail.</summary>
    FailingDisk,

    /// <summary>Some syncs of a server are not made, and end as if they were.</summary>
    LyingSyncs,

    /// <summary>A server stands still in front of its next look at the clock, in the middle of a step.</summary>
    PauseAtClock,
}
