using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>Commands on values that are numbers.</summary>
internal static class NumberCommands
{
    /// <summary>INCR, DECR, INCRBY and DECRBY.</summary>
    public static void Add(DataCall call)
    {
        if (!TryDelta(call, out long delta))
        {
            return;
        }

        KeyEntry key = call.KeyAt(1);
        long number = 0;
        if (key.Exists && !DataCall.TryRead(key.Value, out number))
        {
            call.Reply.Error(Errors.NoInteger);
            return;
        }

        long sum = unchecked(number + delta);
        if (((number ^ sum) & (delta ^ sum)) < 0)
        {
            call.Reply.Error(Errors.Overflow);
            return;
        }

        key.Change(Encoding.ASCII.GetBytes(sum.ToString(CultureInfo.InvariantCulture)));
        call.Reply.Integer(sum);
    }

    /// <summary>By how much INCR and its kin change a number; false: an error was answered.</summary>
    public static bool TryDelta(DataCall call, out long delta)
    {
        delta = 1;
        bool isLess = call[0][0] is (byte)'d' or (byte)'D';
        if (call.Count > 2 && !call.TryInteger(2, out delta))
        {
            return false;
        }

        if (isLess && delta == long.MinValue)
        {
            call.Reply.Error("ERR decrement would overflow");
            return false;
        }

        delta = isLess ? -delta : delta;
        return true;
    }

    /// <summary>INCRBYFLOAT: in decimal numbers of 28 digits, and beyond them in those of 53 bits.</summary>
    public static void AddFloat(DataCall call)
    {
        KeyEntry key = call.KeyAt(1);
        ReadOnlySpan<byte> old = key.Exists ? key.Value : "0"u8;
        if (!TryRead(old, out double oldNumber) || !TryRead(call[2], out double delta))
        {
            call.Reply.Error(Errors.NoFloat);
            return;
        }

        string? sum = Sum(old, call[2], oldNumber + delta);
        if (sum is null)
        {
            call.Reply.Error(Errors.NoNumberMade);
            return;
        }

        byte[] bytes = Encoding.ASCII.GetBytes(sum);
        key.Change(bytes);
        call.Reply.Bulk(bytes);
    }

    private static string? Sum(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other, double sum)
    {
        if (
            decimal.TryParse(one, NumberStyles.Float, CultureInfo.InvariantCulture, out decimal first)
            && decimal.TryParse(other, NumberStyles.Float, CultureInfo.InvariantCulture, out decimal second)
            && IsExact(one, first)
            && IsExact(other, second)
            && Math.Abs(sum) < (double)decimal.MaxValue / 2
        )
        {
            // 17 digits behind the point, as Redis writes them.
            decimal exact = Math.Round(first + second, 17);
            return Plain(exact.ToString("0.#################", CultureInfo.InvariantCulture));
        }

        return double.IsFinite(sum)
            ? Plain(sum.ToString("F17", CultureInfo.InvariantCulture).TrimEnd('0').TrimEnd('.'))
            : null;
    }

    // A decimal takes what is too small for it as 0.
    private static bool IsExact(ReadOnlySpan<byte> text, decimal number) =>
        number != 0 || text.IndexOfAnyInRange((byte)'1', (byte)'9') < 0;

    private static string Plain(string text) => text is "-0" ? "0" : text;

    private static bool TryRead(ReadOnlySpan<byte> text, out double number)
    {
        number = 0;
        const NumberStyles Style =
            NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        bool isInfinite = text.Length <= 9 && IsInfinity(text, out number);
        return isInfinite
            || (
                double.TryParse(text, Style, CultureInfo.InvariantCulture, out number)
                && !double.IsNaN(number)
                && text.IndexOfAnyInRange((byte)'0', (byte)'9') >= 0
            );
    }

    private static bool IsInfinity(ReadOnlySpan<byte> text, out double number)
    {
        bool isNegative = text.StartsWith("-"u8);
        ReadOnlySpan<byte> word = text.StartsWith("-"u8) || text.StartsWith("+"u8) ? text[1..] : text;
        number = isNegative ? double.NegativeInfinity : double.PositiveInfinity;
        return Ascii.EqualsIgnoreCase(word, "inf"u8) || Ascii.EqualsIgnoreCase(word, "infinity"u8);
    }
}
