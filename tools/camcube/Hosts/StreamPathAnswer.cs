namespace CamCube.Tool.Hosts;

/// <summary>One path in the answer of the command send of the service streams.</summary>
internal sealed record StreamPathAnswer(
    string Link,
    long Bytes,
    long Lost,
    long Marked,
    double Window,
    double RoundTripMicros
);
