using System.Globalization;
using System.Security;
using System.Text;

namespace CamCube.Experiments.Plots;

/// <summary>Writes the few SVG elements that the pictures use. Coordinates in pixels, one decimal. One
/// thread.</summary>
internal sealed class SvgText
{
    private readonly StringBuilder _text = new();

    /// <summary>Width of a text in the pictures' fonts, about: nothing here can measure one.</summary>
    public static double WidthOf(string text, double size) => 0.56 * size * text.Length;

    /// <summary>A number as SVG has it.</summary>
    public static string Number(double value) => Math.Round(value, 1).ToString(CultureInfo.InvariantCulture);

    /// <summary>A line.</summary>
    public void Line(string classes, double x1, double y1, double x2, double y2) =>
        Raw(
            $"<line class=\"{classes}\" x1=\"{Number(x1)}\" y1=\"{Number(y1)}\" x2=\"{Number(x2)}\" "
                + $"y2=\"{Number(y2)}\"/>"
        );

    /// <summary>A rectangle.</summary>
    public void Rectangle(string classes, double x, double y, double width, double height, string? tip = null) =>
        Shape(
            "rect",
            $"class=\"{classes}\" x=\"{Number(x)}\" y=\"{Number(y)}\" width=\"{Number(width)}\" "
                + $"height=\"{Number(height)}\"",
            tip
        );

    /// <summary>A path, as its d attribute has it.</summary>
    public void Path(string classes, string d, string? tip = null) =>
        Shape("path", $"class=\"{classes}\" d=\"{d}\"", tip);

    /// <summary>A text.</summary>
    /// <param name="classes">Its style.</param>
    /// <param name="x">Where it begins, ends or has its middle.</param>
    /// <param name="y">Its base line.</param>
    /// <param name="text">The text.</param>
    /// <param name="anchor">start, middle or end.</param>
    /// <param name="isUpright">Turned to be read from below to above.</param>
    public void Text(string classes, double x, double y, string text, string anchor = "start", bool isUpright = false)
    {
        string turn = isUpright ? $" transform=\"rotate(-90 {Number(x)} {Number(y)})\"" : "";
        Raw(
            $"<text class=\"{classes}\" x=\"{Number(x)}\" y=\"{Number(y)}\" "
                + $"text-anchor=\"{anchor}\"{turn}>{Escaped(text)}</text>"
        );
    }

    /// <summary>A line of SVG as it is.</summary>
    public void Raw(string line) => _text.Append(line).Append('\n');

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    public static string Escaped(string text) => SecurityElement.Escape(text);

    private void Shape(string element, string attributes, string? tip) =>
        Raw(
            tip is null
                ? $"<{element} {attributes}/>"
                : $"<{element} {attributes}><title>{Escaped(tip)}</title></{element}>"
        );
}
