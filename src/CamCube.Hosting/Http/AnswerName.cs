using System.Text.Json;

namespace CamCube.Hosting.Http;

/// <summary>Members of enums as the answers have them.</summary>
internal static class AnswerName
{
    /// <summary>ReceiveFull is "receiveFull".</summary>
    public static string Of<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}
