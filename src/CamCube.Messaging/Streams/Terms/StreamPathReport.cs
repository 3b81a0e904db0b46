namespace CamCube.Messaging;

/// <summary>One path of a stream's connection, as it is now. Other streams of the connection share it.</summary>
/// <param name="Link">The cable it leaves by; null: base routing, or this very server.</param>
/// <param name="IsUp">Whether packets may leave on it.</param>
/// <param name="Packets">Packets sent, since the connection began.</param>
/// <param name="Bytes">Bytes of the bodies of these packets.</param>
/// <param name="Lost">Packets that were lost, as far as is known.</param>
/// <param name="Marked">Packets that a hop marked: much waited there.</param>
/// <param name="Window">Packets that may be under way.</param>
/// <param name="InFlight">Packets that are under way.</param>
/// <param name="RoundTrip">Estimate; zero while there is none.</param>
public readonly record struct StreamPathReport(
    Link? Link,
    bool IsUp,
    long Packets,
    long Bytes,
    long Lost,
    long Marked,
    double Window,
    int InFlight,
    TimeSpan RoundTrip
);
