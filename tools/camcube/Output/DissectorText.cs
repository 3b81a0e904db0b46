using System.Globalization;
using System.Text;
using CamCube.Tool.Checks;

namespace CamCube.Tool.Output;

/// <summary>Headers of services as Lua, for tools/wireshark/camcube.lua.</summary>
internal static class DissectorText
{
    // Lua counts in floating point: beyond this not every whole number is one.
    private const decimal MostExact = 1L << 53;

    // What camcube.lua has fields below already.
    private static readonly HashSet<string> Taken =
    [
        "body",
        "camdoop",
        "collectives",
        "destination",
        "distribution",
        "frame",
        "header",
        "kv",
        "message",
        "packet",
        "pull",
        "service",
        "source",
        "stream",
    ];

    /// <summary>The file. Equal headers give equal files.</summary>
    public static string Of(IReadOnlyList<ServiceHeader> services)
    {
        var text = new StringBuilder();
        text.Append("-- Header fields of services for camcube.lua, written by 'camcube service dissector'.\n");
        text.Append("-- To be loaded beside that file, in either order.\n");
        text.Append("_G.camcube_headers = _G.camcube_headers or {}\n");
        foreach (ServiceHeader service in services)
        {
            Add(text, service);
        }

        return text.ToString();
    }

    /// <summary>What the filters of a service's fields begin with.</summary>
    public static string PrefixOf(string service)
    {
        string name = FilterNames.Of(service);
        return Taken.Contains(name) ? $"camcube.{name}.own" : $"camcube.{name}";
    }

    private static void Add(StringBuilder text, ServiceHeader service)
    {
        string prefix = PrefixOf(service.Name);
        text.Append(CultureInfo.InvariantCulture, $"\ndo -- {OneLine(service.Type ?? "no header")}\n");
        text.Append("    local fields = {\n");
        foreach (HeaderField field in service.Fields)
        {
            text.Append(CultureInfo.InvariantCulture, $"        {FieldOf(field, $"{prefix}.{field.Name}")},\n");
        }

        text.Append("    }\n    local parts = {\n");
        for (int i = 0; i < service.Fields.Count; i++)
        {
            HeaderField field = service.Fields[i];
            string how = field.Kind == HeaderFieldKind.Place ? ", is_place = true" : FlagsOf(field);
            for (int n = 0; n < field.Count; n++)
            {
                int at = field.Offset + (n * field.Size);
                text.Append(CultureInfo.InvariantCulture, $"        {{ fields[{i + 1}], {at}, {field.Size}{how} }},\n");
            }
        }

        text.Append("    }\n");
        text.Append(
            CultureInfo.InvariantCulture,
            $"    local proto = Proto({Quoted(prefix)}, {Quoted($"CamCube service {service.Name}")})\n"
        );
        text.Append("    proto.fields = fields\n");
        text.Append(
            CultureInfo.InvariantCulture,
            $"    _G.camcube_headers[0x{service.Id:x4}] = {{ name = {Quoted(service.Name)}, proto = proto, "
        );
        text.Append(CultureInfo.InvariantCulture, $"length = {service.Size}, parts = parts }}\nend\n");
    }

    private static string FieldOf(HeaderField field, string name)
    {
        string type = field.Kind switch
        {
            HeaderFieldKind.Unsigned => $"uint{field.Size * 8}",
            HeaderFieldKind.Signed => $"int{field.Size * 8}",
            HeaderFieldKind.Real => field.Size == 4 ? "float" : "double",
            HeaderFieldKind.Truth => "bool",
            HeaderFieldKind.Place => "string",
            HeaderFieldKind.Guid => "guid",
            _ => "bytes",
        };
        string values = field.Values.Count == 0 || field.IsFlags ? "" : $", {TableOf(field.Values)}";
        string way =
            field.Kind is not (HeaderFieldKind.Unsigned or HeaderFieldKind.Signed) ? ""
            : field.IsFlags && field.Kind == HeaderFieldKind.Unsigned ? ", base.HEX"
            : ", base.DEC";
        return $"ProtoField.{type}({Quoted(name)}, {Quoted(field.Label)}{way}{values})";
    }

    private static string TableOf(IEnumerable<HeaderValue> values) =>
        $"{{ {string.Join(", ", Exact(values).Select(value => $"[{Number(value.Value)}] = {Quoted(value.Name)}"))} }}";

    private static string FlagsOf(HeaderField field)
    {
        bool isWhole = field.Kind is HeaderFieldKind.Unsigned or HeaderFieldKind.Signed;
        if (!field.IsFlags || !isWhole || field.Size > 4)
        {
            return "";
        }

        IEnumerable<string> bits = BitsOf(field).Select(bit => $"{{ {Number(bit.Value)}, {Quoted(bit.Name)} }}");
        return $", flags = {{ {string.Join(", ", bits)} }}";
    }

    private static IEnumerable<HeaderValue> BitsOf(HeaderField field) =>
        field.Values.Where(value => value.Value > 0 && ulong.PopCount((ulong)value.Value) == 1);

    private static IEnumerable<HeaderValue> Exact(IEnumerable<HeaderValue> values) =>
        values.Where(value => Math.Abs(value.Value) <= MostExact);

    private static string Number(decimal value) => value.ToString(CultureInfo.InvariantCulture);

    private static string OneLine(string text) => text.Replace('\n', ' ').Replace('\r', ' ');

    // A string of Lua: whatever is not plain is its bytes, in decimal.
    private static string Quoted(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (byte b in Encoding.UTF8.GetBytes(text))
        {
            bool isPlain = b is >= 0x20 and < 0x7F && b is not ((byte)'"' or (byte)'\\');
            _ = isPlain ? quoted.Append((char)b) : quoted.Append(CultureInfo.InvariantCulture, $"\\{b:d3}");
        }

        return quoted.Append('"').ToString();
    }
}
