using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using CamCube.Client.Cache.Entries;

namespace CamCube.Client.Cache.Protocol;

/// <summary>Writes commands of memcached's meta protocol.</summary>
/// <param name="prefix">Put before every key, UTF-8.</param>
internal sealed class CommandWriter(byte[] prefix)
{
    /// <summary>More than any line: the key, four numbers, and words.</summary>
    private const int MaxLineLength = CacheKey.MaxLength + 100;

    /// <summary>Writes the key as it goes to a server.</summary>
    /// <param name="key">The application's key.</param>
    /// <param name="into">At least <see cref="CacheKey.MaxLength"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public int WriteKey(string key, Span<byte> into) => CacheKey.Write(prefix, key, into);

    /// <summary>Writes a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="opaque">A number that the answer repeats.</param>
    /// <param name="output">Gets the bytes.</param>
    public void Write(in Command command, uint opaque, IBufferWriter<byte> output)
    {
        Span<byte> header = stackalloc byte[EntryExpiry.MaxHeaderLength];
        int headerLength = command.Kind == CommandKind.Store ? command.Expiry.WriteHeader(header) : 0;

        Span<byte> line = output.GetSpan(MaxLineLength + EntryExpiry.MaxHeaderLength);
        int length = 0;
        Append(
            line,
            ref length,
            command.Kind switch
            {
                CommandKind.Store => "ms "u8,
                CommandKind.Remove => "md "u8,
                _ => "mg "u8,
            }
        );
        length += WriteKey(command.Key, line[length..]);
        switch (command.Kind)
        {
            case CommandKind.Read:
                Append(line, ref length, " v f t c"u8);
                break;
            case CommandKind.Look:
                Append(line, ref length, " f t c"u8);
                break;
            case CommandKind.Touch:
                Append(line, ref length, " c T"u8);
                Append(line, ref length, command.TimeToLive.Token);
                break;
            case CommandKind.Store:
                Append(line, ref length, " "u8);
                Append(line, ref length, headerLength + command.Value.Length);
                Append(line, ref length, " F"u8);
                Append(line, ref length, command.Expiry.Flags);
                Append(line, ref length, " T"u8);
                Append(line, ref length, command.TimeToLive.Token);
                break;
        }

        Append(line, ref length, " O"u8);
        Append(line, ref length, opaque);
        Append(line, ref length, "\r\n"u8);
        if (command.Kind == CommandKind.Store)
        {
            Append(line, ref length, header[..headerLength]);
        }

        output.Advance(length);

        if (command.Kind == CommandKind.Store)
        {
            foreach (ReadOnlyMemory<byte> part in command.Value)
            {
                output.Write(part.Span);
            }

            output.Write("\r\n"u8);
        }
    }

    private static void Append(Span<byte> line, ref int length, scoped ReadOnlySpan<byte> text)
    {
        text.CopyTo(line[length..]);
        length += text.Length;
    }

    private static void Append(Span<byte> line, ref int length, long number)
    {
        bool fits = Utf8Formatter.TryFormat(number, line[length..], out int written);
        Debug.Assert(fits, "The longest line fits.");
        length += written;
    }
}
