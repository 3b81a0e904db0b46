using System.Text.Json.Nodes;

namespace CamCube.Services.Files.Tests.FrontEnds;

/// <summary>What a front end answered.</summary>
internal sealed record HttpReply(int Status, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string this[string header] => Headers.GetValueOrDefault(header, "");

    public JsonNode Json => JsonNode.Parse(Body)!;
}
