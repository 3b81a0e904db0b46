using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>What others than servers of CamCube put on a cable.</summary>
/// <param name="Protocol">What it is: <c>IPv4</c>.</param>
/// <param name="Source">Who sent it: <c>192.0.2.7</c>.</param>
/// <param name="Sender">Its Ethernet address.</param>
/// <param name="Frames">Foreign frames of all kinds that arrived while somebody looked.</param>
/// <param name="LastSeenMillis">When the last one was seen, Unix time.</param>
public sealed record ForeignAnswer(
    [property: JsonRequired] string Protocol,
    [property: JsonRequired] string Source,
    string Sender,
    long Frames,
    long LastSeenMillis
)
{
    /// <summary>For people: <c>IPv4 from 192.0.2.7</c>.</summary>
    [JsonIgnore]
    public string Text => $"{Protocol} from {Source}";
}
