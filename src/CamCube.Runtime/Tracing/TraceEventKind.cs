namespace CamCube.Runtime.Tracing;

/// <summary>Kinds of events that go into the trace hash.</summary>
public enum TraceEventKind : byte
{
    /// <summary>A packet entered a cable.</summary>
    Transmit = 1,

    /// <summary>A packet came in by a cable.</summary>
    Arrive = 2,

    /// <summary>A body was sent for the first time since it was written.</summary>
    Body = 3,

    /// <summary>A number was drawn from a random stream.</summary>
    Draw = 4,

    /// <summary>A timer fired.</summary>
    Timer = 5,

    /// <summary>A packet was sent to the server's own services.</summary>
    Local = 7,
}
