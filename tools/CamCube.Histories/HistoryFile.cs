using System.Text.Json;
using System.Text.Json.Serialization;

namespace CamCube.Histories;

/// <summary>Histories as text: an operation in JSON on each line, in any order.</summary>
public static class HistoryFile
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        AllowDuplicateProperties = false,
    };

    private const string NoObject = "it is no JSON object.";

    /// <summary>One line.</summary>
    public static string Write(HistoryOperation operation) => JsonSerializer.Serialize(operation, Json);

    /// <summary>Reads lines; empty ones are skipped.</summary>
    /// <exception cref="FormatException">A line is no operation; says which and why.</exception>
    public static IReadOnlyList<HistoryOperation> Read(IEnumerable<string> lines)
    {
        List<HistoryOperation> operations = [];
        int number = 0;
        foreach (string line in lines)
        {
            number++;
            if (string.IsNullOrWhiteSpace(line))
            {
                continue;
            }

            HistoryOperation? operation;
            try
            {
                operation = JsonSerializer.Deserialize<HistoryOperation>(line, Json);
            }
            catch (JsonException e)
            {
                throw new FormatException($"Line {number} is no operation: {Why(line, e)}", e);
            }

            operations.Add(operation ?? throw new FormatException($"Line {number} is no operation: {NoObject}"));
            if (operation.Answer != HistoryAnswer.Unknown && operation.End < operation.Begin)
            {
                throw new FormatException($"Line {number} ends before it begins.");
            }

            if (operation.Kind == HistoryKind.Put && operation.Value is null)
            {
                throw new FormatException($"Line {number} is a put without a value.");
            }

            if (operation.Kept > 0 && (operation.Kind != HistoryKind.Loss || operation.Value is null))
            {
                throw new FormatException($"Line {number} keeps a version, and is no loss with a value.");
            }

            bool isChange = operation.Kind is HistoryKind.Put or HistoryKind.Delete;
            if (operation.IfValue is not null && (!isChange || operation.Answer == HistoryAnswer.Conflict))
            {
                throw new FormatException($"Line {number} asks for a value, and is no put or delete that was done.");
            }

            if (operation is { Kind: HistoryKind.Add, Answer: HistoryAnswer.Done, Value: null })
            {
                throw new FormatException($"Line {number} is an add that was done, without its sum.");
            }
        }

        return operations;
    }

    // In words of the format: what the reader says is about types of this program.
    private static string Why(string line, JsonException problem)
    {
        try
        {
            using var document = JsonDocument.Parse(line);
            if (document.RootElement.ValueKind != JsonValueKind.Object)
            {
                return NoObject;
            }
        }
        catch (JsonException e)
        {
            return $"it is no JSON from byte {e.BytePositionInLine + 1} on.";
        }

        string field = (problem.Path ?? "").Replace("$['", "").Replace("']", "").TrimStart('$', '.');
        if (field.Length == 0)
        {
            return "it has no field \"key\".";
        }

        bool isKnown = Json.GetTypeInfo(typeof(HistoryOperation))
            .Properties.Any(p => p.Name.Equals(field, StringComparison.OrdinalIgnoreCase));
        return isKnown ? $"field \"{field}\" cannot have this value." : $"there is no field \"{field}\".";
    }
}
