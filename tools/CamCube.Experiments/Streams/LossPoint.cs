namespace CamCube.Experiments.Streams;

/// <summary>What one stream carries on links that lose packets.</summary>
/// <param name="Hops">Links between writer and reader.</param>
/// <param name="Loss">Part of the packets that each link loses.</param>
/// <param name="Window">Bytes that the reader lets the writer send at once.</param>
/// <param name="Share">Part of a link that it fills.</param>
internal readonly record struct LossPoint(int Hops, double Loss, int Window, double Share)
{
    /// <summary>Part of the packets that arrive at all.</summary>
    public double Arriving => Math.Pow(1 - Loss, Hops);

    /// <summary><see cref="Share"/> as a part of <see cref="Arriving"/>.</summary>
    public double OfArriving => Share / Arriving;

    /// <summary><see cref="Window"/> in words.</summary>
    public string WindowName => Window < 1 << 20 ? $"{Window >> 10} KiB" : $"{Window >> 20} MiB";

    /// <summary>What is asked of <see cref="OfArriving"/>; null: nothing.</summary>
    public double? Asked =>
        Window < 1 << 20
            ? null
            : (Hops, Loss) switch
            {
                (_, 0) => 0.97,
                (_, 0.01) => 0.95,
                (1, 0.05) => 0.9,
                (1, 0.1) => 0.8,
                (1, 0.2) => 0.6,
                (6, 0.05) => 0.85,
                (6, 0.1) => 0.7,
                _ => null,
            };
}
