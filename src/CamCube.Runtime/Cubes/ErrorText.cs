namespace CamCube.Runtime.Cubes;

/// <summary>Exceptions for people.</summary>
public static class ErrorText
{
    /// <summary>An exception in a line.</summary>
    public static string Describe(Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return $"{error.GetType().Name}: {error.Message.ReplaceLineEndings(" ")}";
    }
}
