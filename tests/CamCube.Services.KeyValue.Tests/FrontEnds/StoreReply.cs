using System.Text;
using System.Text.Json;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

/// <summary>An answer of the front end.</summary>
internal sealed record StoreReply(int Status, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string Text => Encoding.UTF8.GetString(Body);

    public string Tag => Headers["ETag"];

    /// <summary>What a refusal says.</summary>
    public string Detail => JsonDocument.Parse(Body).RootElement.GetProperty("detail").GetString()!;
}
