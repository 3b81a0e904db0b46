using CamCube.FrontEnds.Protocols;

namespace EchoSample;

/// <summary>A line is answered with its number and itself.</summary>
internal sealed class EchoProtocol(ServiceTurn<EchoService> turn) : IConnectionProtocol
{
    public ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed)
    {
        consumed = input.IndexOf((byte)'\n') + 1;
        if (consumed == 0)
        {
            return ProtocolStep.NeedsInput;
        }

        long? number = turn.Enter()?.Next();
        turn.Leave();
        turn.Output.WriteNumber((ulong)(number ?? 0));
        turn.Output.Write(": "u8);
        turn.Output.Write(input[..consumed]);
        turn.CountAnswer();
        return ProtocolStep.Took;
    }
}
