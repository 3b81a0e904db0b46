using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace CamCube;

/// <summary>What a command gets beside its arguments. Loop only.</summary>
public sealed class CommandContext
{
    private readonly CommandCall _call;

    internal CommandContext(CommandCall call, CancellationToken cancel) => (_call, Cancel) = (call, cancel);

    /// <summary>Ends, on the loop, when nobody waits for the result any more: the client went, or the service
    /// stops.</summary>
    public CancellationToken Cancel { get; }

    /// <summary>The bytes that were sent with it, valid until the command ends; empty if none were.</summary>
    public ReadOnlyMemory<byte> Body => _call.Body;

    /// <summary>What they are, as in <c>application/json</c>; null if nobody said.</summary>
    public string? ContentType => _call.ContentType;

    /// <summary>Reads the body as JSON, with names in camelCase.</summary>
    /// <param name="value">The value.</param>
    /// <param name="refusal">Otherwise what to answer: where it is wrong.</param>
    public bool TryReadJson<T>([NotNullWhen(true)] out T? value, [NotNullWhen(false)] out CommandResult? refusal)
    {
        (value, refusal) = (default, null);
        string why = "it is null";
        try
        {
            value = JsonSerializer.Deserialize<T>(Body.Span, CommandJson.OptionsFor(typeof(T)));
        }
        catch (JsonException e)
        {
            why = CommandText.Shown(e.Message);
        }

        if (value is null)
        {
            refusal = CommandResult.Refused(
                Body.IsEmpty
                    ? $"{_call.Command} wants a body: JSON."
                    : $"The body is not the JSON that {_call.Command} wants: {why}"
            );
        }

        return value is not null;
    }
}
