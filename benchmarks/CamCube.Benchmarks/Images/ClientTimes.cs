namespace CamCube.Benchmarks.Images;

/// <summary>How long requests took, in ms.</summary>
/// <param name="gets">Of each that got something.</param>
/// <param name="puts">Of each that put.</param>
/// <param name="time">How long they came.</param>
internal sealed class ClientTimes(IEnumerable<double> gets, IEnumerable<double> puts, TimeSpan time)
{
    private readonly double[] _gets = [.. gets.Order()];
    private readonly double[] _puts = [.. puts.Order()];

    /// <summary>Requests per second.</summary>
    public double PerSecond => (_gets.Length + _puts.Length) / time.TotalSeconds;

    /// <summary>Of 1,000 gets so many take no longer.</summary>
    public double Get(int of1000) => At(_gets, of1000);

    /// <summary>Of 1,000 puts so many take no longer.</summary>
    public double Put(int of1000) => At(_puts, of1000);

    private static double At(double[] sorted, int of1000) => sorted[(int)((long)sorted.Length * of1000 / 1000)];
}
