using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using CamCube.Messaging.Streams.Connections;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging;

/// <summary>Says what packets of streams contain, in short words, for people who look at a run. Immutable; any thread.
/// </summary>
public sealed class StreamDescriber
{
    // Frames that are named; of more only their number.
    private const int MostNamed = 3;
    private readonly int _offset;

    private StreamDescriber(int offset) => _offset = offset;

    /// <summary>One for the packets of a service; null: its header is none of messages and streams.</summary>
    /// <param name="header">The header's type, as in <see cref="CamCubeServiceAttribute.Header"/>.</param>
    public static StreamDescriber? For(Type? header)
    {
        bool isOne =
            header is { IsValueType: true }
            && Array.Exists(
                header.GetInterfaces(),
                i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IMessageHeader<>)
            );
        if (!isOne)
        {
            return null;
        }

        var form = (PacketForm)Activator.CreateInstance(typeof(PacketFormOf<>).MakeGenericType(header!))!;
        return new StreamDescriber(form.Offset);
    }

    /// <summary>What a packet contains; null: it is none of streams.</summary>
    /// <param name="header">The service's header.</param>
    /// <param name="body">The body.</param>
    public string? Describe(ReadOnlySpan<byte> header, ReadOnlySpan<byte> body)
    {
        if (header.Length < _offset + Unsafe.SizeOf<StreamHeader>())
        {
            return null;
        }

        StreamHeader part = MemoryMarshal.Read<StreamHeader>(header[_offset..]);
        var text = new StringBuilder();
        bool isRight = true;
        switch (part.Kind)
        {
            case < StreamPacketKind.Hello:
                return null;
            case StreamPacketKind.Frames:
                Append(text, $"packet {part.Packet} on {PathOf(part.Path.Path)}: ");
                isRight = TryAppendFrames(text, body);
                break;
            case StreamPacketKind.Acks:
                isRight = TryAppendFrames(text, body);
                break;
            case StreamPacketKind.Close:
                Append(text, $"close, {part.Reason.ToString().ToLowerInvariant()}");
                break;
            default:
                isRight = Enum.IsDefined(part.Kind);
                text.Append(isRight ? part.Kind.ToString().ToLowerInvariant() : $"kind {(int)part.Kind}");
                break;
        }

        text.Append(part.Marked != 0 ? ", marked" : "").Append(part.Path.HasLeft ? ", left its path" : "");
        text.Append(part.Path.Asks ? ", asks" : "");
        return text.Append(isRight ? "" : ", malformed").ToString();
    }

    private static bool TryAppendFrames(StringBuilder text, ReadOnlySpan<byte> body)
    {
        FrameReader reader = new(body);
        int frames = 0;
        for (; reader.TryNext(); frames++)
        {
            if (frames < MostNamed)
            {
                text.Append(frames == 0 ? "" : "; ");
                AppendFrame(text, reader);
            }
        }

        if (frames > MostNamed)
        {
            Append(text, $"; {frames - MostNamed} more");
        }

        return !reader.IsMalformed;
    }

    private static void AppendFrame(StringBuilder text, in FrameReader frame)
    {
        switch (frame.Type)
        {
            case FrameType.Data:
                Append(text, $"data {frame.Bytes.Length} B of {frame.Stream} at {frame.Offset}");
                text.Append(frame.IsFirst ? ", first" : "").Append(frame.IsLast ? ", last" : "");
                break;
            case FrameType.Ack:
                Append(text, $"ack to {frame.Code} on {PathOf(frame.Path)}");
                break;
            case FrameType.Credit:
                Append(text, $"credit of {frame.Stream} to {frame.Limit}");
                text.Append(frame.HasDropped ? ", first flight dropped" : "");
                break;
            case FrameType.Blocked:
                Append(text, $"blocked {frame.Stream} at {frame.Offset}");
                break;
            case FrameType.Ping:
                text.Append("ping");
                break;
            default:
                Append(text, $"{frame.Type.ToString().ToLowerInvariant()} of {frame.Stream}");
                break;
        }
    }

    private static string PathOf(int path) =>
        path < Links.Cables ? ((Link)path).Name()
        : path == PathWord.Routed ? "base routing"
        : "none";

    private static void Append(StringBuilder text, FormattableString words) =>
        text.Append(FormattableString.Invariant(words));
}
