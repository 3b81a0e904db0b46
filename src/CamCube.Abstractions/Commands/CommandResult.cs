using System.Text;
using System.Text.Json;

namespace CamCube;

/// <summary>The end of a command. Any thread.</summary>
public sealed class CommandResult
{
    private const string JsonType = "application/json";

    private CommandResult(CommandStatus status, ReadOnlyMemory<byte> body, string contentType) =>
        (Status, Body, ContentType) = (status, body, contentType);

    /// <summary>Done, with nothing to say: an empty JSON object.</summary>
    public static CommandResult Done { get; } = Json("{}"u8.ToArray());

    /// <summary>How it ended.</summary>
    public CommandStatus Status { get; }

    /// <summary>Whether it was done.</summary>
    public bool IsOk => Status == CommandStatus.Done;

    /// <summary>If done: the answer. If not: one line that says why, in UTF-8.</summary>
    public ReadOnlyMemory<byte> Body { get; }

    /// <summary>What the body is: <c>application/json</c>, or what a command says.</summary>
    public string ContentType { get; }

    /// <summary>The body as text.</summary>
    public string Text => Encoding.UTF8.GetString(Body.Span);

    /// <summary>Done; the value is written as JSON, with names in camelCase, at once.</summary>
    public static CommandResult Of<T>(T value) =>
        Json(JsonSerializer.SerializeToUtf8Bytes(value, CommandJson.OptionsFor(typeof(T))));

    /// <summary>Done; these bytes are JSON. They are not copied.</summary>
    public static CommandResult Json(ReadOnlyMemory<byte> utf8) => new(CommandStatus.Done, utf8, JsonType);

    /// <summary>Done; bytes of some other kind. They are not copied.</summary>
    public static CommandResult Bytes(ReadOnlyMemory<byte> body, string contentType = "application/octet-stream") =>
        new(CommandStatus.Done, body, contentType);

    /// <summary>Not done, and the caller is told why: one line in words.</summary>
    public static CommandResult Refused(string why) => Not(CommandStatus.Refused, why);

    /// <summary>The answer as it was before it became JSON: for tests, and for services that call others'
    /// commands.</summary>
    /// <exception cref="InvalidOperationException">It was not done, or the answer is not of this type; the message says
    /// what it is.</exception>
    public T Read<T>()
    {
        if (IsOk && ContentType == JsonType)
        {
            try
            {
                return JsonSerializer.Deserialize<T>(Body.Span, CommandJson.OptionsFor(typeof(T)))!;
            }
            catch (JsonException)
            {
                // Said below, with what it is.
            }
        }

        throw new InvalidOperationException($"No {typeof(T).Name}, but {this}");
    }

    /// <inheritdoc/>
    public override string ToString() =>
        $"{Status}: {(ContentType is JsonType or "text/plain" ? Text : $"{Body.Length} bytes")}";

    internal static CommandResult Not(CommandStatus status, string why) =>
        new(status, Encoding.UTF8.GetBytes(why), "text/plain");

    internal static CommandResult OfAny(object? value) =>
        value switch
        {
            CommandResult result => result,
            null => Done,
            byte[] bytes => Bytes(bytes),
            ReadOnlyMemory<byte> bytes => Bytes(bytes),
            _ => Json(
                JsonSerializer.SerializeToUtf8Bytes(value, value.GetType(), CommandJson.OptionsFor(value.GetType()))
            ),
        };
}
