using CamCube.Loads.Choosing;
using CamCube.Loads.Resp;

namespace CamCube.Loads.Targets;

/// <summary>What answers of Redis mean.</summary>
internal static class RedisAnswers
{
    /// <summary>The first word of an error, which is its kind: as MOVED, ERR, OOM. Letters and digits only.</summary>
    /// <param name="text">The error.</param>
    /// <param name="word">Gets it.</param>
    /// <returns>Its length; of an error without one, that of "error".</returns>
    public static int WordOf(ReadOnlySpan<byte> text, Span<char> word)
    {
        int length = 0;
        while (length < text.Length && length < word.Length && char.IsAsciiLetterOrDigit((char)text[length]))
        {
            word[length] = (char)text[length];
            length++;
        }

        if (length > 0)
        {
            return length;
        }

        "error".CopyTo(word);
        return "error".Length;
    }

    /// <summary>Whether an answer is one to a change of a kind.</summary>
    public static bool Fits(OperationKind kind, RespKind answer, ReadOnlySpan<byte> text) =>
        kind is OperationKind.Increment or OperationKind.Delete
            ? answer == RespKind.Integer
            : answer == RespKind.Simple && text.SequenceEqual("OK"u8);
}
