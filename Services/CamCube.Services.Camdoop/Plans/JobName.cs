using System.Globalization;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>Names of jobs and of their tasks, as Hadoop's clients know them: <c>job_1764420000000_0001</c>, behind the
/// first line the milliseconds at which it was begun, behind the second a number from 0001 to 9999.</summary>
internal static class JobName
{
    /// <summary>Most jobs of one millisecond.</summary>
    public const int PerMillisecond = 9_999;

    private const ulong Digits = 10_000;
    private const string Prefix = "job_";

    /// <summary>The number of a job.</summary>
    public static ulong NumberOf(long milliseconds, int ordinal) => ((ulong)milliseconds * Digits) + (ulong)ordinal;

    /// <summary>The name of a job.</summary>
    public static string Of(ulong number) => Prefix + Tail(number);

    /// <summary>The name of an attempt at a task.</summary>
    /// <param name="number">The job's number.</param>
    /// <param name="isMap">Whether it is a map task.</param>
    /// <param name="task">The task's number.</param>
    /// <param name="attempt">The attempt's number.</param>
    public static string OfAttempt(ulong number, bool isMap, int task, int attempt) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"attempt_{Tail(number)}_{(isMap ? 'm' : 'r')}_{task:000000}_{attempt}"
        );

    /// <summary>The name of a task.</summary>
    public static string OfTask(ulong number, bool isMap, int task) =>
        string.Create(CultureInfo.InvariantCulture, $"task_{Tail(number)}_{(isMap ? 'm' : 'r')}_{task:000000}");

    /// <summary>Reads the name of a task.</summary>
    public static bool TryParseTask(string name, out bool isMap, out int task)
    {
        string[] parts = name.Split('_');
        isMap = parts is [_, _, _, "m", _];
        task = 0;
        return parts is [_, _, _, "m" or "r", var digits]
            && int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out task);
    }

    /// <summary>Reads a name.</summary>
    public static bool TryParse(string name, out ulong number)
    {
        number = 0;
        string[] parts = name.Split('_');
        if (
            parts.Length != 3
            || parts[0] != "job"
            || parts[2].Length != 4
            || !long.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out long milliseconds)
            || !int.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out int ordinal)
            || milliseconds > long.MaxValue / (long)Digits
        )
        {
            return false;
        }

        number = NumberOf(milliseconds, ordinal);
        return Of(number) == name;
    }

    private static string Tail(ulong number) =>
        string.Create(CultureInfo.InvariantCulture, $"{number / Digits}_{number % Digits:0000}");
}
