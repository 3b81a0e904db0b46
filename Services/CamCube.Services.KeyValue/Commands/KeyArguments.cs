using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Text;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>The key that a command is about.</summary>
internal record KeyArguments
{
    [Description("the key, in UTF-8")]
    public string? Key { get; init; }

    [Description("the key in hexadecimal digits, for other bytes")]
    public string? Hex { get; init; }

    [Description("its table"), Range(0, 15)]
    public int Table { get; init; }

    /// <summary>The key.</summary>
    /// <param name="key">The key; only with null.</param>
    /// <returns>What is wrong with it; null: nothing.</returns>
    public string? ReadKey(out KeyValueKey key)
    {
        key = default;
        if (Key is null == Hex is null)
        {
            return "key or hex is wanted, and one of them.";
        }

        byte[] bytes;
        try
        {
            bytes = Key is not null ? Encoding.UTF8.GetBytes(Key) : Convert.FromHexString(Hex!);
        }
        catch (FormatException)
        {
            return "hex: two hexadecimal digits are wanted for each byte.";
        }

        key = new KeyValueKey(bytes, Table);
        return bytes.Length > 0 ? null : $"a key has 1 to {KeyValueKey.MostBytes:N0} bytes; this one has none.";
    }
}
