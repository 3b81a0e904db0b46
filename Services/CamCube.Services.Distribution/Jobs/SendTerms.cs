using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>What can be asked for in a cube: a function of the request and the shape only.</summary>
internal static class SendTerms
{
    /// <summary>What is wrong with a request; null: nothing.</summary>
    public static DistributionAnswer? WrongOf(DistributionRequest request, TorusShape shape)
    {
        foreach (string name in (string[])[request.File, request.As ?? request.File])
        {
            if (FileName.WrongOf(name) is { } wrong)
            {
                return new DistributionAnswer(DistributionStatus.BadName, 0, $"'{name}' {wrong}");
            }
        }

        string? wrongTerms =
            request.Weight is < 1 or > DistributionRequest.MostWeight
                ? $"a weight is 1 to {DistributionRequest.MostWeight}, and not {request.Weight}"
            : request.Limit < 1 ? $"a limit is at least one byte per second, and not {request.Limit}"
            : !Enum.IsDefined(request.Trees) ? $"there are no trees of kind {request.Trees}"
            : WrongOfCode(request.Code, TreePlan.CountOf(shape, (TreeKind)request.Trees), shape);
        if (wrongTerms is not null)
        {
            return new DistributionAnswer(DistributionStatus.BadTerms, 0, wrongTerms);
        }

        var seen = new HashSet<Coordinate>();
        foreach (Coordinate member in request.To)
        {
            if (!shape.Contains(member) || !seen.Add(member))
            {
                string why = shape.Contains(member) ? "is named twice" : $"is none of {shape}";
                return new DistributionAnswer(DistributionStatus.BadMember, 0, $"{member} {why}");
            }
        }

        return null;
    }

    /// <summary>Pieces of a file, those of parity, too.</summary>
    public static long PiecesOf(long length, DistributionRequest request, TorusShape shape, int pieceBytes)
    {
        long pieces = Manifest.PiecesOf(length, pieceBytes);
        int data = TreePlan.CountOf(shape, (TreeKind)request.Trees) - request.Code;
        return pieces + (request.Code == 0 ? 0 : (pieces + data - 1) / data * request.Code);
    }

    private static string? WrongOfCode(int code, int trees, TorusShape shape)
    {
        int most = DistributionRequest.MostCodeOf(trees);
        return code >= 0 && code <= most ? null
            : most == 0
                ? $"parity needs three trees or more, and "
                    + $"{(trees == 1 ? "this is one" : $"{shape} has {trees}")}; the code must be 0, and not {code}"
            : $"{trees} trees of {shape} can have 0 to {most} of parity, and not {code}";
    }
}
