# Genderscope for CPUs, as a user that is not root.
#   docker build -t genderscope .
#   docker run --rm -v "$PWD:/work" -w /work genderscope run gest --model ./my-model
# Pinned by digest. To refresh: docker pull python:3.12-slim, and copy the digest that it prints.
FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea

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
