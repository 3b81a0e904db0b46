namespace CamCube.Calls.Tests.Ledgers;

/// <summary>Asks servers how much was done there.</summary>
public sealed class CountRound(Ledger ledger) : Round
{
    public List<Coordinate> From { get; } = [];

    public long Sum { get; set; }

    public int Sent { get; private set; }

    public ulong LastQuestion { get; private set; }

    protected override void Send(ulong question, Coordinate to)
    {
        (Sent, LastQuestion) = (Sent + 1, question);
        var header = new LedgerHeader { Kind = LedgerKind.Count, Question = question };
        ledger.Channel.Send(header, default, default, to);
    }
}
