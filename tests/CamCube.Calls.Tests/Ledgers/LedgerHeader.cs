using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>Header of the test service.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct LedgerHeader : ICallHeader<LedgerHeader>
{
    public MessageHeader Message;
    public Key Key;
    public ulong Question;
    public LedgerKind Kind;
    public RefusalReason Reason;
    public byte Attempt;
    public byte Unused;

    public static ref MessageHeader MessageOf(ref LedgerHeader header) => ref header.Message;

    public static CallTag TagOf(in LedgerHeader header) => new(header.Key, header.Question, header.Attempt);

    public static CallPart PartOf(in LedgerHeader header) =>
        header.Kind switch
        {
            LedgerKind.Sum => CallPart.Done,
            LedgerKind.Refusal => CallPart.Refused,
            _ => CallPart.None,
        };

    public static RefusalReason ReasonOf(in LedgerHeader header) => header.Reason;

    public static LedgerHeader RefusalOf(in LedgerHeader asked, RefusalReason reason) =>
        Answering(asked, LedgerKind.Refusal) with
        {
            Reason = reason,
        };

    public static LedgerHeader Answering(in LedgerHeader asked, LedgerKind kind) =>
        new()
        {
            Key = asked.Key,
            Question = asked.Question,
            Attempt = asked.Attempt,
            Kind = kind,
        };
}
