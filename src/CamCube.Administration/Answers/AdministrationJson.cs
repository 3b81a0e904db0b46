using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The form of all answers of a host, written and read without reflection: camelCase names, "+x" and not an
/// escape for it, nothing for what is null.</summary>
[JsonSerializable(typeof(CableAnswer))]
[JsonSerializable(typeof(CablingAnswer))]
[JsonSerializable(typeof(CommandsAnswer))]
[JsonSerializable(typeof(ReloadAnswer))]
[JsonSerializable(typeof(FaultRuleAnswer))]
[JsonSerializable(typeof(FaultsAnswer))]
[JsonSerializable(typeof(HealthAnswer))]
[JsonSerializable(typeof(ProblemAnswer))]
[JsonSerializable(typeof(ServerAnswer))]
[JsonSerializable(typeof(ServiceAnswer))]
[JsonSerializable(typeof(StatusAnswer))]
public sealed partial class AdministrationJson : JsonSerializerContext
{
    /// <summary>The answers' serializer.</summary>
    public static AdministrationJson Answers { get; } =
        new(
            new JsonSerializerOptions(JsonSerializerDefaults.Web)
            {
                Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
            }
        );
}
