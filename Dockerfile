# Genderscope for CPUs, as a user that is not root.
#   docker build -t genderscope .
#   docker run --rm -v "$PWD:/work" -w /work genderscope run gest --model ./my-model
FROM python:3.12-slim

ARG EXTRAS=hf,grammar,server

COPY . /opt/genderscope
RUN /opt/genderscope/docker/install.sh packages /opt/genderscope "$EXTRAS"
RUN /opt/genderscope/docker/install.sh user genderscope /home/genderscope

USER genderscope
ENV GENDERSCOPE_CACHE=/home/genderscope/cache
RUN /opt/genderscope/docker/install.sh check

WORKDIR /home/genderscope
ENTRYPOINT ["genderscope"]
CMD ["--help"]
