using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>A command on the client's own connection. In its turn, or in the loop while EXEC goes on.</summary>
/// <param name="Context">What connections share.</param>
/// <param name="Session">The client.</param>
/// <param name="Arguments">The arguments, the command's name first.</param>
/// <param name="Reply">Where the answer goes.</param>
internal readonly record struct SessionCall(
    RedisContext Context,
    RedisSession Session,
    RequestArguments Arguments,
    Reply Reply
)
{
    /// <summary>Longest name that a client may give itself, in bytes: it is kept while the client is there.</summary>
    public const int MostName = 1_024;

    /// <summary>Arguments, the name included.</summary>
    public int Count => Arguments.Count;

    /// <summary>An argument.</summary>
    public ReadOnlySpan<byte> this[Index index] => Arguments[index.GetOffset(Count)];

    /// <summary>Whether an argument is a word, whatever its letters' case.</summary>
    public bool Is(int index, ReadOnlySpan<byte> word) =>
        index < Count && Ascii.EqualsIgnoreCase(Arguments[index], word);

    /// <summary>An argument as text. Of one that is longer than any word or name may be, what it begins with, and a
    /// bit more than that may be.</summary>
    public string TextOf(int index)
    {
        ReadOnlySpan<byte> bytes = Arguments[index];
        return Encoding.UTF8.GetString(bytes[..Math.Min(bytes.Length, MostName + 1)]);
    }

    /// <summary>A command's second word is none, or has too few or too many others behind it.</summary>
    public void RefuseWord() =>
        Reply.Error(
            $"ERR unknown subcommand or wrong number of arguments for '{TextOf(1)}'. "
                + $"Try {TextOf(0).ToUpperInvariant()} HELP."
        );
}
