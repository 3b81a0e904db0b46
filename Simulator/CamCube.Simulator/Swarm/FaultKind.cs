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
}
