namespace CamCube.Services.Distribution.Jobs;

/// <summary>The numbers of jobs that are over here, as many as are remembered: what still is on its way of them begins
/// nothing. Loop only.</summary>
/// <param name="most">How many are remembered.</param>
internal sealed class OverJobs(int most)
{
    private readonly HashSet<ulong> _numbers = [];
    private readonly Queue<ulong> _order = [];

    /// <summary>A job is over.</summary>
    public void Add(ulong number)
    {
        if (_numbers.Add(number))
        {
            _order.Enqueue(number);
        }

        if (_order.Count > most)
        {
            _numbers.Remove(_order.Dequeue());
        }
    }

    /// <summary>Whether it is known to be over.</summary>
    public bool Contains(ulong number) => _numbers.Contains(number);
}
