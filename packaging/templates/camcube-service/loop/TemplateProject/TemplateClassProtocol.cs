using CamCube.FrontEnds.Protocols;

namespace TemplateSpace;

/// <summary>Bytes of a client become answers, with the service at hand. It does no input or output, and never
/// waits.</summary>
internal sealed class TemplateClassProtocol(ServiceTurn<TemplateClassService> turn) : IConnectionProtocol
{
    /// <summary>A line is answered with how many questions of this server are open, and itself.</summary>
    public ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = input.IndexOf((byte)'\n') + 1;
        if (consumed == 0)
        {
            return ProtocolStep.NeedsInput;
        }

        int open = turn.Enter()?.OpenQuestions ?? 0; // null: the service does not run now
        turn.Leave();
        turn.Output.WriteNumber((ulong)open);
        turn.Output.Write(": "u8);
        turn.Output.Write(input[..consumed]);
        turn.CountAnswer();
        return ProtocolStep.Took;
    }
}
