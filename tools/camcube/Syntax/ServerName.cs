using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>
/// A server as people name it: a rank or a coordinate. Only the host knows the shape, so neither is checked against one
/// here.
/// </summary>
/// <param name="Text">The name as the host's paths take it.</param>
/// <param name="Rank">The rank, or -1 if it was named by its coordinate.</param>
/// <param name="Coordinate">The coordinate, if <paramref name="Rank"/> is -1.</param>
internal readonly record struct ServerName(string Text, int Rank, Coordinate Coordinate)
{
    /// <summary>Reads "13" or "1,1,1".</summary>
    public static bool TryParse(string text, out ServerName name)
    {
        name = default;
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int rank))
        {
            name = new ServerName(rank.ToString(CultureInfo.InvariantCulture), rank, default);
            return true;
        }

        if (Coordinate.TryParse(text, out Coordinate coordinate))
        {
            name = new ServerName(coordinate.ToString(), -1, coordinate);
            return true;
        }

        return false;
    }

    /// <summary>The rank in a shape, or -1 if the shape has no such server.</summary>
    public int RankIn(TorusShape shape) =>
        Rank >= 0 ? (Rank < shape.Count ? Rank : -1) : (shape.Contains(Coordinate) ? shape.RankOf(Coordinate) : -1);

    /// <summary>The server in a shape.</summary>
    /// <param name="shape">The shape.</param>
    /// <param name="option">The option that names the server.</param>
    /// <exception cref="ToolException">The shape has no such server.</exception>
    public Coordinate In(TorusShape shape, string option)
    {
        int rank = RankIn(shape);
        return rank >= 0
            ? shape.At(rank)
            : throw new ToolException(
                ExitCode.Usage,
                $"{option} '{Text}' lies outside of {shape}; there are 0,0,0 to {shape.At(shape.Count - 1)}, "
                    + $"or the ranks 0 to {shape.Count - 1}."
            );
    }
}
