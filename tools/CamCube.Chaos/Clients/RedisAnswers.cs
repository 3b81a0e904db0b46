using CamCube.Histories;
using CamCube.Loads.Resp;

namespace CamCube.Chaos.Clients;

/// <summary>Answers of a server that speaks Redis, in the words of a history.</summary>
internal static class RedisAnswers
{
    // With these nothing was done. Of any other error nobody knows: once or never.
    private static readonly string[] NotDone =
    [
        "BUSY",
        "CLUSTERDOWN",
        "CROSSSLOT",
        "EXECABORT",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "MOVED",
        "NOAUTH",
        "NOPERM",
        "NOREPLICAS",
        "NOTLEADER",
        "OOM",
        "READONLY",
        "TRYAGAIN",
        "UNAVAILABLE",
        "WRONGTYPE",
    ];

    /// <summary>What a GET was told.</summary>
    public static HistoryOperation Got(HistoryOperation asked, RespValue answer) =>
        answer.Kind switch
        {
            RespKind.Bulk => asked with { Answer = HistoryAnswer.Done, Value = NameOf(answer) },
            RespKind.Null => asked with { Answer = HistoryAnswer.NotFound },
            _ => asked with { Answer = HistoryAnswer.Unavailable },
        };

    /// <summary>What a SET was told.</summary>
    /// <param name="asked">The put.</param>
    /// <param name="answer">The answer.</param>
    /// <param name="isGet">It was to tell what it replaced.</param>
    public static HistoryOperation Put(HistoryOperation asked, RespValue answer, bool isGet)
    {
        if (answer.IsOk && !isGet)
        {
            return asked with { Answer = HistoryAnswer.Done };
        }

        return answer.Kind switch
        {
            RespKind.Bulk when isGet => asked with { Answer = HistoryAnswer.Done, IfValue = NameOf(answer) },
            RespKind.Null when asked.IfPresent => asked with { Answer = HistoryAnswer.Conflict },
            RespKind.Null when isGet => asked with { Answer = HistoryAnswer.Done, IfVersion = 0 },
            _ => Refused(asked, answer),
        };
    }

    /// <summary>What a DEL was told.</summary>
    public static HistoryOperation Deleted(HistoryOperation asked, RespValue answer) =>
        answer.Kind == RespKind.Integer && answer.Number is 0 or 1
            ? asked with
            {
                Answer = answer.Number == 1 ? HistoryAnswer.Done : HistoryAnswer.NotFound,
            }
            : Refused(asked, answer);

    /// <summary>What an INCR was told.</summary>
    public static HistoryOperation Added(HistoryOperation asked, RespValue answer) =>
        answer.Kind == RespKind.Integer
            ? asked with
            {
                Answer = HistoryAnswer.Done,
                Value = answer.Text,
            }
            : Refused(asked, answer);

    /// <summary>What the EXEC of one SET was told; without anything it was not done, as what was watched has
    /// changed.</summary>
    public static HistoryOperation Executed(HistoryOperation asked, RespValue answer) =>
        answer switch
        {
            { Kind: RespKind.Array, Elements: [{ IsOk: true }] } => asked with { Answer = HistoryAnswer.Done },
            { IsNull: true } => asked with { Answer = HistoryAnswer.Unavailable },
            { Kind: RespKind.Array, Elements: [var one] } => Refused(asked, one),
            _ => Refused(asked, answer),
        };

    private static HistoryOperation Refused(HistoryOperation asked, RespValue answer) =>
        asked with
        {
            Answer = Array.Exists(NotDone, answer.IsError) ? HistoryAnswer.Unavailable : HistoryAnswer.Unknown,
        };

    // Of a number that is counted it is the number.
    private static string NameOf(RespValue answer) =>
        answer.Bytes.Length is > 0 and <= 20 && answer.Bytes.AsSpan().IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0
            ? answer.Text
            : StoredValue.NameOf(answer.Bytes);
}
