using System.Globalization;
using System.Net;
using System.Text.Json;

namespace CamCube.ValueTexts;

/// <summary>Turns the text of a setting, or of a command's argument, into a value of its type, or says what would have
/// been allowed.</summary>
public static class SettingValue
{
    /// <summary>Whether settings of this type are one piece of text (otherwise they are a group of settings).</summary>
    public static bool IsSingle(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type.IsPrimitive
            || type.IsEnum
            || type == typeof(string)
            || type == typeof(decimal)
            || type == typeof(TimeSpan)
            || type == typeof(IPAddress)
            || type == typeof(TorusShape)
            || type == typeof(Coordinate)
            || type == typeof(Link)
            || type == typeof(LinkSet);
    }

    /// <summary>What a text of this type is, in a few words.</summary>
    public static string Describe(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type == typeof(string) ? "text"
            : type == typeof(bool) ? "true or false"
            : type == typeof(TimeSpan) ? "duration as in 200ms"
            : type == typeof(long) ? "whole number, also as in 64MiB"
            : type == typeof(double) || type == typeof(float) || type == typeof(decimal) ? "number"
            : type == typeof(IPAddress) ? "IP address"
            : type == typeof(TorusShape) ? "shape as in 3x3x3"
            : type == typeof(Coordinate) ? "coordinate x,y,z"
            : type == typeof(Link) ? "link as in +x"
            : type == typeof(LinkSet) ? "links as in +x,-y"
            : type.IsEnum ? string.Join(" | ", Enum.GetNames(type).Select(JsonNamingPolicy.CamelCase.ConvertName))
            : "whole number";
    }

    /// <summary>Reads the text.</summary>
    /// <param name="type">Type for which <see cref="IsSingle"/> holds.</param>
    /// <param name="text">Text.</param>
    /// <param name="value">The value.</param>
    /// <returns>Null, or what is allowed in words.</returns>
    public static string? TryConvert(Type type, string text, out object? value)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        value = null;
        if (type == typeof(Link) || type == typeof(LinkSet))
        {
            return ToLinks(type, text, out value);
        }

        text = text.Trim();
        if (type == typeof(string))
        {
            value = text;
            return null;
        }

        if (type == typeof(bool))
        {
            return Take(bool.TryParse(text, out bool flag), flag, out value) ? null : "allowed are true and false";
        }

        if (type == typeof(TimeSpan))
        {
            return Take(DurationText.TryParse(text, out TimeSpan duration), duration, out value)
                ? null
                : $"allowed is {DurationText.Allowed}";
        }

        if (type == typeof(long))
        {
            return Take(SizeText.TryParse(text, out long size), size, out value)
                ? null
                : "allowed is a whole number, also with KiB, MiB, GiB or TiB after it";
        }

        if (type == typeof(IPAddress))
        {
            string address = text.Equals("localhost", StringComparison.OrdinalIgnoreCase) ? "127.0.0.1" : text;
            return Take(TryAddress(address, out IPAddress? ip), ip, out value)
                ? null
                : "allowed is an IP address as in 127.0.0.1, 0.0.0.0 or ::1";
        }

        if (type == typeof(TorusShape))
        {
            string? fault = TorusShape.TryParse(text, out TorusShape shape);
            value = shape;
            return fault;
        }

        if (type == typeof(Coordinate))
        {
            return Take(Coordinate.TryParse(text, out Coordinate coordinate), coordinate, out value)
                ? null
                : "allowed is a coordinate as in 0,1,2";
        }

        return type.IsEnum ? ToEnum(type, text, out value) : ToNumber(type, text, out value);
    }

    private static bool Take(bool ok, object? parsed, out object? value)
    {
        value = ok ? parsed : null;
        return ok;
    }

    private static bool TryAddress(string text, out IPAddress? address)
    {
        // IPAddress also takes "8080" and "1.2" for addresses, which nobody means.
        bool whole = text.Contains(':') || text.Count(c => c == '.') == 3;
        address = null;
        return whole && IPAddress.TryParse(text, out address);
    }

    private static string? ToLinks(Type type, string text, out object? value)
    {
        LinkSet links = LinkSet.None;
        value = null;
        foreach (string name in text.Split(','))
        {
            // In a query a + is a blank.
            if (
                !Links.TryParse(name.Trim(), out Link link)
                && !(name.StartsWith(' ') && Links.TryParse($"+{name.Trim()}", out link))
            )
            {
                return "allowed are +x, -x, +y, -y, +z, -z"
                    + (type == typeof(LinkSet) ? ", with commas between them" : "");
            }

            links |= link;
        }

        bool isOne = type == typeof(Link);
        value = isOne ? links.First : links;
        return isOne && links.Count > 1 ? "one link is allowed" : null;
    }

    private static string? ToEnum(Type type, string text, out object? value)
    {
        // A number would be accepted by Enum.TryParse, defined or not.
        bool isName = text.Length > 0 && char.IsLetter(text[0]);
        value = null;
        return isName && Enum.TryParse(type, text, ignoreCase: true, out value)
            ? null
            : $"allowed are {string.Join(", ", Enum.GetNames(type))}";
    }

    private static string? ToNumber(Type type, string text, out object? value)
    {
        value = null;
        CultureInfo culture = CultureInfo.InvariantCulture;
        bool isFraction = type == typeof(double) || type == typeof(float) || type == typeof(decimal);
        try
        {
            value = Convert.ChangeType(
                isFraction ? decimal.Parse(text, NumberStyles.Float, culture) : (object)text,
                type,
                culture
            );
            return null;
        }
        catch (OverflowException)
        {
            object? smallest = type.GetField("MinValue")?.GetValue(null);
            object? largest = type.GetField("MaxValue")?.GetValue(null);
            return $"allowed is a number from {smallest} to {largest}";
        }
        catch (Exception e) when (e is FormatException or InvalidCastException)
        {
            return isFraction ? "allowed is a number as in 1 or 0.5" : "allowed is a whole number";
        }
    }
}
