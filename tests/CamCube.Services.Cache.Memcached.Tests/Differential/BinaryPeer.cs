using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>One connection that speaks the binary protocol, and the tokens that its server told.</summary>
internal sealed class BinaryPeer(BytePeer peer) : IDisposable
{
    private const byte Noop = 0x0a;
    private const uint LastOpaque = 0xffff_ffff;

    private readonly Dictionary<string, ulong> _tokens = [];

    /// <summary>Sends a batch and gives its answers as text, without the tokens.</summary>
    public async Task<string> AskAsync(IReadOnlyList<BinaryFrame> batch)
    {
        var request = new StringBuilder();
        foreach (BinaryFrame frame in batch)
        {
            request.Append(Fill(frame).ToRequest());
        }

        request.Append(new BinaryFrame { Opcode = Noop, Opaque = LastOpaque }.ToRequest());
        await peer.SendAsync(Encoding.Latin1.GetBytes(request.ToString()));

        byte[] bytes = await peer.ReceiveUntilAsync(EndsWithNoop);
        List<BinaryFrame> answers = BinaryFrame.ReadAnswers(Encoding.Latin1.GetString(bytes));
        foreach (BinaryFrame answer in answers)
        {
            if (answer.Cas != 0 && batch.FirstOrDefault(frame => frame.Opaque == answer.Opaque) is { } asked)
            {
                _tokens[asked.Key] = answer.Cas;
            }
        }

        return Describe(answers);
    }

    /// <summary>Sends bytes after which the server closes, and gives what it says before.</summary>
    public async Task<string> EndAsync(string bytes)
    {
        await peer.SendAsync(Encoding.Latin1.GetBytes(bytes));
        byte[] answers = await peer.ReceiveUntilAsync(_ => false);
        return Describe(BinaryFrame.ReadAnswers(Encoding.Latin1.GetString(answers)));
    }

    public void Dispose() => peer.Dispose();

    private static string Describe(List<BinaryFrame> answers) =>
        string.Join(
            '\n',
            answers.Select(answer =>
            {
                const byte VersionOpcode = 0x0b;
                string value = answer.Opcode == VersionOpcode && answer.Status == 0 ? "VERSION" : answer.Value;
                return (answer with { Cas = Math.Min(answer.Cas, 1), Value = value }).ToString();
            })
        );

    private static bool EndsWithNoop(ReadOnlySpan<byte> bytes)
    {
        int last = -1;
        for (int at = 0; BinaryFrame.TryReadLength(bytes[at..], out int length); at += length)
        {
            last = at;
        }

        return last >= 0
            && bytes[last + 1] == Noop
            && System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(bytes[(last + 12)..]) == LastOpaque;
    }

    private BinaryFrame Fill(BinaryFrame frame) =>
        frame.Cas == BinaryStream.LastToken
            ? frame with
            {
                Cas = _tokens.GetValueOrDefault(frame.Key, ulong.MaxValue - 1),
            }
            : frame;
}
