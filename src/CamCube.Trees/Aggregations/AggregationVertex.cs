using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>A place in the tree of a question: it asks those behind it, adds the server's own value, if it is the
/// place's own server, and answers once. Made for the one who asked; gone with it.</summary>
internal sealed class AggregationVertex<TQuestion, TValue>(
    AggregationService<TQuestion, TValue> service,
    VertexId vertex,
    TQuestion question,
    PullOutput output
) : IPullSource
    where TQuestion : unmanaged
    where TValue : unmanaged
{
    private readonly byte[] _answer = new byte[AggregationPart<TQuestion, TValue>.Length];
    private AggregationPart<TQuestion, TValue>[] _parts = [];
    private (TValue Value, int Servers)[] _values = [];
    private int _missing;
    private int _written;
    private bool _isReady;
    private bool _hasLeft;

    public void Begin(PullEndpoint<PlainHeader, AggregationRequest<TQuestion>> pulls, TreePlan plan)
    {
        LinkSet links = plan.Children(vertex.Tree, vertex.At);
        (_missing, _values) = (links.Count, new (TValue, int)[links.Count]);
        _parts = new AggregationPart<TQuestion, TValue>[links.Count];
        for (int i = 0; i < _parts.Length; i++)
        {
            int place = i;
            _parts[i] = new(question, (value, servers) => Take(place, value, servers));
        }

        int next = 0;
        foreach (Link link in links)
        {
            _parts[next++].Pull(pulls, vertex with { At = plan.Shape.Step(vertex.At, link) }, link);
        }
    }

    public void OnWritable()
    {
        if (_missing > 0 || _hasLeft)
        {
            return;
        }

        if (!_isReady)
        {
            _isReady = true;
            (TValue value, int servers) = Combined();
            AggregationPart<TQuestion, TValue>.Write(_answer, value, servers);
        }

        _written += output.Write(_answer.AsSpan(_written));
        if (_written == _answer.Length)
        {
            output.Complete();
        }
    }

    public void OnLeft()
    {
        _hasLeft = true;
        foreach (AggregationPart<TQuestion, TValue> part in _parts)
        {
            part.Dispose();
        }
    }

    private void Take(int place, TValue value, int servers)
    {
        _values[place] = (value, servers);
        _parts[place].Dispose();
        _missing--;
        OnWritable();
    }

    private (TValue Value, int Servers) Combined()
    {
        (TValue Value, int Servers) all = service.IsAt(vertex.At) ? (service.OwnOf(question), 1) : default;
        foreach ((TValue Value, int Servers) one in _values)
        {
            all =
                one.Servers == 0 ? all
                : all.Servers == 0 ? one
                : (service.CombineOf(question, all.Value, one.Value), all.Servers + one.Servers);
        }

        return all;
    }
}
