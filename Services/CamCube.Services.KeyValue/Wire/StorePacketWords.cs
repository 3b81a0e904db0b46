using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using MessageKind = CamCube.Messaging.MessageKind;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Says what packets of the store contain, in short words, for people who look at a run. Any thread.</summary>
internal static class StorePacketWords
{
    private const int MostNamed = 3;
    private const int MostOfKey = 32;

    /// <summary>What a packet contains; null: it is none of a message.</summary>
    /// <param name="header">The service's header.</param>
    /// <param name="body">The body.</param>
    public static string? Of(ReadOnlySpan<byte> header, ReadOnlySpan<byte> body)
    {
        if (header.Length < Unsafe.SizeOf<KeyValueHeader>())
        {
            return null;
        }

        KeyValueHeader read = MemoryMarshal.Read<KeyValueHeader>(header);
        if (!Enum.IsDefined(read.Message.Kind) || read.Message.Kind == MessageKind.None)
        {
            return null;
        }

        string type = Enum.IsDefined(read.Type) ? Lower(read.Type) : $"type {(int)read.Type}";
        if (read.Message.Kind != MessageKind.Piece)
        {
            return Text($"{Lower(read.Message.Kind)} of message {read.Message.Sequence}");
        }

        if (read.Message.Length != body.Length)
        {
            return Text($"{type}, piece {read.Message.Piece} of {read.Message.Length} B");
        }

        return read.Type switch
        {
            MessageType.Groups => Groups(body),
            MessageType.Request => Request(read, body),
            MessageType.Answer => Answer(body),
            _ => type,
        };
    }

    private static string Groups(ReadOnlySpan<byte> body)
    {
        var text = new StringBuilder();
        var reader = new WireReader(body);
        List<Operation> operations = [];
        int messages = 0;
        for (; reader.Left > 0; messages++)
        {
            if (
                !GroupMessageFormat.TryRead(
                    ref reader,
                    default,
                    default,
                    out GroupId id,
                    out GroupMessage message,
                    operations
                )
            )
            {
                return text.Append(messages == 0 ? "" : "; ").Append("malformed").ToString();
            }

            if (messages < MostNamed)
            {
                int entries = message.Entries?.Length ?? 0;
                text.Append(messages == 0 ? "" : "; ").Append(Lower(message.Kind));
                text.Append(Text($" of {id.Table}/{id.Home}/{id.Sequence} at {message.Index}"));
                text.Append(entries > 0 ? Text($" with {entries}") : "");
            }
        }

        return text.Append(messages > MostNamed ? Text($"; {messages - MostNamed} more") : "").ToString();
    }

    private static string Request(in KeyValueHeader header, ReadOnlySpan<byte> body)
    {
        if (!RequestFormat.TryRead(body, out RequestContent request))
        {
            return "malformed request";
        }

        ReadOnlySpan<byte> shown = request.Key[..Math.Min(request.Key.Length, MostOfKey)];
        string key = Encoding.UTF8.GetString(shown) + (shown.Length < request.Key.Length ? "..." : "");
        string value = request.Value.Length > 0 ? Text($", {request.Value.Length} B") : "";
        string again = header.Attempt > 1 ? Text($", attempt {header.Attempt}") : "";
        return $"{Lower(request.Type)} {key}{value}{again}";
    }

    private static string Answer(ReadOnlySpan<byte> body) =>
        AnswerFormat.TryRead(body, out KeyValueAnswer answer, out _, out _, out ReadOnlySpan<byte> value)
            ? Text($"answer {Lower(answer.Status)} {answer.Version}, {value.Length} B")
            : "malformed answer";

    private static string Lower<T>(T name)
        where T : struct, Enum
    {
        var words = new StringBuilder();
        foreach (char letter in name.ToString())
        {
            words.Append(words.Length > 0 && char.IsUpper(letter) ? " " : "").Append(char.ToLowerInvariant(letter));
        }

        return words.ToString();
    }

    private static string Text(FormattableString words) => words.ToString(CultureInfo.InvariantCulture);
}
