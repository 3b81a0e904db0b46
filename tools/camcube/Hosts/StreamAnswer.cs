using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of the command send of the service streams.</summary>
internal sealed record StreamAnswer(
    string From,
    string To,
    long Bytes,
    double Seconds,
    double GoodputBitsPerSecond,
    string End,
    [property: JsonRequired] StreamPathAnswer[] Paths,
    [property: JsonRequired] SentStreamAnswer[] Streams
);
