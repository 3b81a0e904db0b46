using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of the command trace of the service diagnostics.</summary>
internal sealed record TraceAnswer(
    string From,
    string To,
    string Asked,
    string? Service,
    [property: JsonRequired] string End,
    double? RoundTripMicros,
    [property: JsonRequired] TraceHopAnswer[] Hops
);
